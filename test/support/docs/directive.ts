/** What a page says about the test of a block: `<!-- test: project=first-run exit=3 -->`. */
export interface Directive {
  /** The block starts in a new project with these files, of a new user; see `projects/`. */
  readonly project?: string;
  /** A command that is run before, for what a reader has long done. */
  readonly setup?: string;
  /** How its last command ends. Default 0. */
  readonly exit?: number;
  /** Compare the output block behind it with stdout alone; default is what a terminal shows. */
  readonly output?: "stdout";
  /** The block is the content of this file in the project. */
  readonly file?: string;
  /** The code goes on from the block before it. */
  readonly continues?: true;
  /** Why it cannot be run. Its options are looked up in the help all the same. */
  readonly skip?: string;
}

const WORD = /(\w+)(?:=(?:"([^"]*)"|(\S+)))?(?:\s+|$)/gy;

export function readDirective(text: string, place: string): Directive {
  const directive: Record<string, string | number | true> = {};
  let end = 0;
  for (const { 0: word, 1: key = "", 2: quoted, 3: plain, index } of text.matchAll(WORD)) {
    const value = quoted ?? plain;
    if (key === "exit" && value !== undefined) directive[key] = Number(value);
    else if (key === "continues" && value === undefined) directive[key] = true;
    else if (["project", "setup", "output", "file", "skip"].includes(key) && value !== undefined)
      directive[key] = value;
    else throw new Error(`${place}: "${word.trim()}" says nothing about a test`);
    end = index + word.length;
  }
  if (end !== text.length) throw new Error(`${place}: "${text.slice(end)}" cannot be read`);
  return directive;
}
