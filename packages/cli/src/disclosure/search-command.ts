import { visibleLine } from "@skillwright/core/internal";
import type { Console } from "../console.ts";
import { CommandFailure, EXIT, type ExitCode } from "../exit-code.ts";
import {
  addMcpSkills,
  openSessionSkills,
  openSession,
  type SessionOptions,
} from "@skillwright/app/internal";
import { table } from "../terminal/table.ts";

export interface SearchCommandOptions extends SessionOptions {
  readonly limit?: string;
}

/** Finds skills by what they are for. */
export async function searchCommand(
  words: readonly string[],
  options: SearchCommandOptions,
  console: Console,
): Promise<ExitCode> {
  const limit = readLimit(options.limit);
  const session = await openSession(options, console);
  const found = { session, skills: await openSessionSkills(session, options, console) };
  const { skills } = await addMcpSkills(found, options, console, { isForModel: false });
  const { source } = options;
  const view = skills.conversation({
    audience: "person",
    ...(source !== undefined && { include: (record) => record.source === source }),
  });
  const results = await view.search(words.join(" "), { limit });
  if (console.json) {
    console.printJson({ results });
    return EXIT.done;
  }
  if (results.length === 0) {
    console.note("Nothing was found. skillwright list shows all skills.");
    return EXIT.done;
  }
  const rows = results.map(({ name, source: from, description }) =>
    [name, from, description].map(visibleLine),
  );
  const { width, colors } = console;
  console.print(table(["NAME", "SOURCE", "DESCRIPTION"], rows, { width, header: colors.dim }));
  return EXIT.done;
}

function readLimit(text = "5"): number {
  const limit = Number(text);
  if (Number.isInteger(limit) && limit > 0 && limit <= 1000) return limit;
  throw new CommandFailure(EXIT.usage, `"${text}" is not a number of results`);
}
