/** A name, and lines of what it names. */
export interface NameWithLines {
  readonly name: string;
  readonly startLine?: number;
  readonly endLine?: number;
  /** Bytes of the first line that are left out. */
  readonly startByte?: number;
}

/**
 * Founding presets have no parameters for lines, so that lines stand behind the name there:
 * `references/guide.md#L200-400`, or `#L200` for what follows from there, or `#L200+51200` to go on
 * in a line that was cut.
 */
export function splitLines(text: string): NameWithLines {
  const [, name, first, byte, last] =
    /^([^]*)#L(\d{1,9})(?:\+(\d{1,12}))?(?:-L?(\d{1,9}))?$/.exec(text) ?? [];
  if (name === undefined || name === "" || first === undefined) return { name: text };
  return {
    name,
    startLine: Number(first),
    ...(byte === undefined ? undefined : { startByte: Number(byte) }),
    ...(last === undefined ? undefined : { endLine: Number(last) }),
  };
}

export function withLines(name: string, startLine: number, endLine?: number): string {
  return `${name}#L${startLine}${endLine === undefined ? "" : `-${endLine}`}`;
}

export function withByte(name: string, startLine: number, startByte: number): string {
  return `${name}#L${startLine}+${startByte}`;
}
