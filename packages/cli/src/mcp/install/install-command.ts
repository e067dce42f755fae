import { nearNames, visibleLine } from "@skillwright/core/internal";
import type { Console, GlobalOptions } from "../../console.ts";
import { CommandFailure, EXIT, type ExitCode } from "../../exit-code.ts";
import { openPlace } from "@skillwright/app/internal";
import { checkServeArguments } from "./check-serve-arguments.ts";
import { type Client, clientFile, type ClientFile, CLIENTS, type Scope } from "./client-file.ts";
import { readClientFile, type StoredFile, writeClientFile } from "./client-file-store.ts";
import { editedJson } from "./edited-json.ts";
import { editToml, tableText } from "./edit-toml.ts";
import { serverEntry, type ServerEntry } from "./server-entry.ts";
import { shownDiff } from "./shown-diff.ts";

export interface InstallOptions extends GlobalOptions {
  readonly scope?: string;
  readonly name?: string;
  readonly yes?: boolean;
  readonly dryRun?: boolean;
}

const NAME = /^[A-Za-z0-9_-]{1,64}$/;

/** Writes the entry for `skillwright mcp` where a client reads its servers, after showing the change. */
export async function installCommand(
  clientName: string,
  args: readonly string[],
  options: InstallOptions,
  console: Console,
  program: readonly [string, string] = [process.execPath, process.argv[1] ?? ""],
): Promise<ExitCode> {
  const { name = "skillwright" } = options;
  const client = clientOf(clientName);
  if (!NAME.test(name)) {
    throw new CommandFailure(EXIT.usage, `${JSON.stringify(name)} cannot be a server's name`, {
      hint: "letters, digits, _ and - are allowed",
    });
  }
  checkServeArguments(args, console);
  const { home, project } = await openPlace(console);
  const scope = scopeOf(options.scope, client);
  const machine = { home, project, env: console.env, platform: process.platform };
  const place = clientFile(client, scope, machine);
  if (place === undefined) {
    throw new CommandFailure(EXIT.usage, `${client} has no file for a project`, {
      hint: "leave out --scope",
    });
  }
  const stored = readClientFile(place.path, scope === "project" ? project : undefined);
  const entry = serverEntry({ scope, program, args });
  const text = await edited(stored, place, name, entry);
  const outcome = { client, scope, file: stored.path, name, entry };
  if (text === stored.text) {
    if (console.json) console.printJson({ ...outcome, changed: false });
    else console.print(visibleLine(`${stored.path} has it already.`));
    return EXIT.done;
  }
  const diff = await shownDiff(stored.text ?? "", text);
  showChange(stored, diff, console);
  if (options.dryRun === true) {
    if (console.json) console.printJson({ ...outcome, changed: false, dryRun: true, diff });
    return EXIT.done;
  }
  if (options.yes !== true && !(await isWanted(console))) return EXIT.approval;
  const backup = await writeClientFile(stored, text);
  if (console.json) console.printJson({ ...outcome, changed: true, diff, backup });
  else {
    console.print(visibleLine(`Wrote ${stored.path}. Start ${client} anew to use it.`));
    if (backup !== undefined) console.note(visibleLine(`What was there is in ${backup}`));
  }
  return EXIT.done;
}

function clientOf(text: string): Client {
  const client = CLIENTS.find((one) => one === text.toLowerCase());
  if (client !== undefined) return client;
  const near = nearNames(text, new Set(CLIENTS), 1)[0];
  throw new CommandFailure(EXIT.usage, `there is no client ${JSON.stringify(text)}`, {
    hint: near === undefined ? `there are ${CLIENTS.join(", ")}` : `did you mean ${near}?`,
  });
}

function scopeOf(text: string | undefined, client: Client): Scope {
  if (text === "project" || text === "user") return text;
  if (text !== undefined) {
    throw new CommandFailure(EXIT.usage, `there is no scope ${JSON.stringify(text)}`, {
      hint: "there are project and user",
    });
  }
  // What people expect of each: an editor's servers come with the project.
  return client === "vscode" || client === "cursor" ? "project" : "user";
}

async function edited(
  { path, text = "" }: StoredFile,
  { format, key, typed }: ClientFile,
  name: string,
  entry: ServerEntry,
): Promise<string> {
  const value = typed ? { type: "stdio", ...entry } : entry;
  const byHand = (reason: string, what: string) =>
    new CommandFailure(EXIT.no, `${path} cannot be changed without a loss: ${reason}`, {
      hint: `write this into it yourself:\n${what}`,
    });
  if (format === "toml") {
    const result = editToml(text, key, name, entry);
    if (result.ok) return result.text;
    throw byHand(result.reason, tableText(key, name, entry));
  }
  const result = await editedJson(text, [key, name], { ...value });
  if (result !== undefined) return result;
  const what = JSON.stringify({ [key]: { [name]: value } }, null, 2);
  throw byHand("it is not the JSON that was expected", what);
}

function showChange({ path, text }: StoredFile, diff: readonly string[], console: Console): void {
  const { green, red } = console.noteColors;
  console.note(visibleLine(text === undefined ? `New file ${path}` : `Changes to ${path}`));
  for (const line of diff) {
    const paint = line.startsWith("+") ? green : line.startsWith("-") ? red : String;
    console.note(`  ${paint(line)}`);
  }
}

async function isWanted(console: Console): Promise<boolean> {
  if (!console.canAsk) {
    console.note("Nothing was written. To write it: the same with --yes");
    return false;
  }
  const answer = await console.choose({
    message: "Write this?",
    choices: [
      { value: "yes", label: "Yes" },
      { value: "no", label: "No" },
    ],
    initial: "no",
  });
  if (answer === undefined) throw new CommandFailure(EXIT.interrupted, "interrupted");
  if (answer === "no") console.note("Nothing was written.");
  return answer === "yes";
}
