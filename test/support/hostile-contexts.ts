/**
 * Posts with a hostile string in each place where authors put text. Each is a source of its own, so that a string
 * that swallows the rest cannot hide the other places.
 */
export function postsWith(string: string): string[] {
  const line = string.replace(/[\r\n]+/g, ' ');
  const quoted = string.replace(/^/gm, '> ');
  return [
    string,
    `text ${string} text`,
    // Links, images and their parts.
    `[${string}](/next/) [${string}]`,
    `[a](${line}) [b](<${line}>) <${line}>`,
    `![${string}](/a.png)`,
    `![a](${line}) ![b](<${line}>)`,
    `[a](/b/ "${string}") [a](/b/ '${string}') ![a](/b.png "${string}")`,
    `[a] [b]\n\n[a]: ${line}\n[b]: <${line}> "${line}"`,
    `https://e.example/${line} https://youtu.be/${line}\n\nhttps://www.youtube.com/watch?v=${line}`,
    // Blocks.
    `# ${line}\n\n## ${line}\n\n${line}\n---\n\n[[toc]]`,
    `a[^${line}] b[^b]\n\n[^${line}]: ${line}\n[^b]: ${string}`,
    `> [!NOTE]\n${quoted}\n\n> [!WARNING] ${line}\n> a`,
    `| ${line} | b |\n|---|---|\n| a | ${line} |`,
    `- [ ] ${line}\n- ${string}`,
    // Fences whose content other libraries render.
    fence(line, string),
    fence('html', string),
    fence(`ts title="${line}" {1}`, string),
    fence('math', string),
    `$${string}$ and $\`${string}\`$\n\n$$${string}$$`,
    `$\\text{${line}}$ $\\color{${line}}x$ $\\href{${line}}{x}$`,
    fence('mermaid', `graph TD\n  A["${line}"] -->|${line}| B\n  style A fill:${line}\n  click A "${line}"`),
    fence('mermaid', `graph TD\n  A["${line}"]`),
    fence('mermaid', `sequenceDiagram\n  participant A as ${line}\n  A->>A: ${line}`),
    fence('mermaid', `classDiagram\n  class A {\n    +${line}\n  }`),
    fence('mermaid', `stateDiagram-v2\n  A : ${line}`),
    fence('mermaid', string),
    // Attributes of raw HTML.
    `<a title="${string}" href='${string}' id=${string}>a</a> <img alt='${string}' src="${string}">`,
  ];
}

/** A fence of tildes, which allow any info string, longer than any in the strings. */
export const fence = (info: string, content: string): string => `~~~~~~${info}\n${content}\n~~~~~~`;
