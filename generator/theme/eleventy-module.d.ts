/** The part of Eleventy 3.1 that we use. It ships without types. */
declare module '@11ty/eleventy' {
  export interface EleventyPage {
    readonly url: string;
    /** The template's return value: without layouts and transforms, Eleventy passes it on unchanged. */
    readonly content: string[];
  }

  /** The data of a paginated template. */
  export interface PageData {
    readonly pagination: { readonly items: readonly string[]; readonly pageNumber: number };
  }

  export interface TemplateConfig {
    getConfig(): { readonly keys: { package: string | false } };
  }

  export interface UserConfig {
    readonly benchmarks: { readonly config: { setIsVerbose(verbose: boolean): void } };
    setUseGitIgnore(enabled: boolean): void;
    setUseTemplateCache(enabled: boolean): void;
    setTemplateFormats(formats: readonly string[]): void;
    setDataFileSuffixes(suffixes: readonly string[]): void;
    on(event: 'eleventy.config', listener: (config: TemplateConfig) => void): void;
    addExtension(
      extension: string,
      options: {
        readonly getData: () => Readonly<Record<string, unknown>>;
        readonly compile: () => (data: PageData) => string[];
        readonly compileOptions: { readonly permalink: 'raw' };
      },
    ): void;
    addTemplate(path: string, content: string, data: Readonly<Record<string, unknown>>): void;
  }

  export default class Eleventy {
    constructor(
      input: string,
      output: undefined,
      options: {
        readonly configPath: string;
        readonly quietMode: boolean;
        readonly loader: 'esm';
        readonly config: (config: UserConfig) => void;
      },
    );
    disableLogger(): void;
    toJSON(): Promise<EleventyPage[]>;
  }
}
