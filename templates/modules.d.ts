/** A stylesheet is imported as its text. */
declare module '*.css' {
  const css: string;
  export default css;
}

/** A page or passage written in Markdown. */
declare module '*.svx' {
  import type { Component } from 'svelte';

  const page: Component;
  export default page;
}

/** A browser script is imported as its text, bundled and minified. */
declare module '*?script' {
  const script: string;
  export default script;
}
