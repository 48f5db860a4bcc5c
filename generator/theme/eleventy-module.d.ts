/** What we use of Eleventy 3.1, which ships without types. */
declare module '@11ty/eleventy' {
  export interface EleventyPage {
    readonly url: string;
    /** Whatever the template returned: Eleventy passes on what no layout and no transform takes an interest in. */
    readonly content: string[];
  }

  /** What a template that pages over data is given. */
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
