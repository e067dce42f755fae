import { type ReadFileOptions, visibleLines } from "@skillwright/core/internal";
import type { Console } from "../console.ts";
import { CommandFailure, EXIT, type ExitCode } from "../exit-code.ts";
import {
  openNamedSkills,
  openSession,
  type SessionOptions,
  findOrFail,
} from "@skillwright/app/internal";

export interface ReadCommandOptions extends SessionOptions {
  readonly lines?: string;
  readonly section?: string;
  readonly lineNumbers?: boolean;
}

/** Prints one file of a skill, SKILL.md unless another is named. */
export async function readCommand(
  name: string,
  path: string | undefined,
  options: ReadCommandOptions,
  console: Console,
): Promise<ExitCode> {
  const wanted = readOptions(options);
  const session = await openSession(options, console);
  const skills = await openNamedSkills(session, name, options, console);
  const found = skills.find(name);
  if (!found.ok && console.json) {
    console.printJson({ ...found });
    return EXIT.no;
  }
  const skill = found.ok ? found.skill : findOrFail(skills, name);
  const view = skills.conversation({ audience: "person" });
  const result = await view.readFile(skill.id, path ?? "SKILL.md", wanted);
  if (console.json) {
    console.printJson({ name: skill.name, source: skill.source, ...result });
    return result.ok ? EXIT.done : EXIT.no;
  }
  if (!result.ok) {
    const { message, hint, candidates = [] } = result;
    const meant = candidates.length > 0 ? `did you mean ${candidates.join(", ")}?` : hint;
    throw new CommandFailure(EXIT.no, message, meant === undefined ? {} : { hint: meant });
  }
  if (result.kind === "binary") {
    const { mediaType, size } = result;
    throw new CommandFailure(EXIT.no, `${result.path} is not text (${mediaType}, ${size} bytes)`, {
      hint: skill.uri === undefined ? `it is in ${skill.path}` : `it is of ${skill.uri}`,
    });
  }
  const text = result.text.replace(/\n$/, "");
  console.print(console.isTerminal ? visibleLines(text) : text);
  const { startLine, endLine, totalLines, endOfFile } = result;
  if (!endOfFile) {
    const total = totalLines === undefined ? "" : ` of ${totalLines}`;
    console.note(console.noteColors.dim(`lines ${startLine}-${endLine}${total}`));
  }
  return EXIT.done;
}

function readOptions({ lines, section, lineNumbers = false }: ReadCommandOptions): ReadFileOptions {
  const range = lines === undefined ? undefined : /^([1-9]\d{0,8})(?:-(\d{1,9}))?$/.exec(lines);
  const [, first, last = first] = range ?? [];
  if (range === null || Number(first) > Number(last)) {
    throw new CommandFailure(EXIT.usage, `"${lines}" is not a range of lines`, {
      hint: "write --lines 20-40",
    });
  }
  if (range !== undefined && section !== undefined) {
    throw new CommandFailure(EXIT.usage, "--lines and --section cannot be given together");
  }
  return {
    lineNumbers,
    // A person reads on: the first part of what is too large is more than an error.
    page: true,
    ...(first === undefined ? undefined : { startLine: Number(first), endLine: Number(last) }),
    ...(section === undefined ? undefined : { section }),
  };
}
