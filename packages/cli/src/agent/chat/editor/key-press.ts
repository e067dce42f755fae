/** A key as `node:readline` reads it from a terminal. */
export interface KeyPress {
  /** What it types; undefined for keys that type nothing. */
  readonly text?: string | undefined;
  readonly name?: string | undefined;
  readonly ctrl?: boolean;
  readonly meta?: boolean;
  readonly shift?: boolean;
}

/** The arguments of a `keypress` event. */
export function keyPressOf(text: string | undefined, key: KeyPress | undefined): KeyPress {
  const { name, ctrl = false, meta = false, shift = false } = key ?? {};
  return { text, name, ctrl, meta, shift };
}

// oxlint-disable-next-line no-control-regex -- what a terminal would obey
const CONTROL = /[\u0000-\u001f\u007f-\u009f]/;

/** What the key puts into a text; undefined when it is for something else. */
export function typedText({ text, ctrl = false, meta = false }: KeyPress): string | undefined {
  if (text === undefined || text === "" || ctrl || meta || CONTROL.test(text)) return undefined;
  return text;
}
