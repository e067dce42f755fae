/** A name, and lines of what it names. */
export interface NameWithLines {
  readonly name: string;
  readonly startLine?: number;
  readonly endLine?: number;
}

/**
 * Founding presets have no parameters for lines, so that lines stand behind the name there:
 * `references/guide.md#L200-400`, or `#L200` for what follows from there.
 */
export function splitLines(text: string): NameWithLines {
  const [, name, first, last] = /^([^]*)#L(\d{1,9})(?:-L?(\d{1,9}))?$/.exec(text) ?? [];
  if (name === undefined || name === "" || first === undefined) return { name: text };
  return {
    name,
    startLine: Number(first),
    ...(last === undefined ? undefined : { endLine: Number(last) }),
  };
}

export function withLines(name: string, startLine: number, endLine?: number): string {
  return `${name}#L${startLine}${endLine === undefined ? "" : `-${endLine}`}`;
}
