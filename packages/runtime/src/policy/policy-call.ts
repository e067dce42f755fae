import { hostOf, isInside, type ResolvedPath, resolvePath } from "./patterns.ts";
import { type Command, lineCommand, listCommand, namedPrograms } from "./match-commands.ts";
import type { PolicyPlaces, PolicyRequest } from "./policy-request.ts";
import { permittingRules } from "./policy-rule.ts";
import { programName } from "./programs.ts";
import { permittedTools, toolName, wordList } from "./tools.ts";

/** Reads parameters by name, in any case and with or without underscores. */
interface CallInput {
  /** All texts given under any of the names; a list counts as its texts, a number as one. */
  texts(names: readonly string[]): readonly string[];
  /** All values given under any of the names. */
  values(names: readonly string[]): readonly unknown[];
  /** Not an object, or not readable as one. */
  readonly unreadable: boolean;
}

function readCallInput(input: unknown): CallInput {
  const object = asObject(input);
  const entries = Object.entries(object ?? {}).map(
    ([key, value]) => [key.toLowerCase().replace(/[_-]/g, ""), value as unknown] as const,
  );
  const values = (names: readonly string[]) =>
    entries
      .filter(([key, value]) => names.includes(key) && value !== undefined && value !== null)
      .map(([, value]) => value);
  return {
    texts: (names) => values(names).flat().flatMap(asText),
    values,
    unreadable: object === undefined,
  };
}

function asText(value: unknown): readonly string[] {
  if (typeof value === "string") return [value];
  return typeof value === "number" || typeof value === "boolean" ? [String(value)] : [];
}

function asObject(input: unknown): object | undefined {
  const value = typeof input === "string" ? parseJson(input) : (input ?? {});
  return typeof value === "object" && value !== null && !Array.isArray(value) ? value : undefined;
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return undefined;
  }
}

/** A tool call, read once and in the form that rules are compared with. */
export interface PolicyCall {
  /** Our name of the tool. */
  readonly tool: string;
  /** As it was called. */
  readonly calledAs: string;
  readonly paths: readonly ResolvedPath[];
  /** A path that leads out of the working directory, as it was given. */
  readonly outside?: string;
  readonly command?: CommandCall;
  readonly script?: ScriptCall;
  readonly hosts: readonly string[];
  /** The skill that a disclosure tool is asked for. */
  readonly names: readonly string[];
  /** Why the call is not understood; it is never allowed then. */
  readonly unclear: readonly string[];
}

const FILE_TOOLS: ReadonlySet<string> = new Set(
  wordList("read_file write_file delete_file list_directory search_files"),
);
const PATH_NAMES = wordList(`
    path paths filepath file files filename directory dir folder root target destination
    source from to oldpath newpath notebookpath absolutepath relativepath
  `);
const ADDRESS_NAMES = ["url", "urls", "uri", "address", "endpoint", "href"];
const SKILL_NAMES = ["name", "skill", "skillname", "skills", "names"];

export function readCall(request: PolicyRequest): PolicyCall {
  const tool = toolName(request.tool);
  const input = readCallInput(request.input);
  const call = {
    tool,
    calledAs: request.tool,
    paths: [],
    hosts: [],
    names: input.texts(SKILL_NAMES),
    unclear: input.unreadable ? ["the input is not an object"] : [],
  };
  if (FILE_TOOLS.has(tool)) return { ...call, ...readPaths(request, tool, input, call.unclear) };
  if (tool === "run_command") {
    const command = commandCall(input, request);
    return { ...call, command, unclear: [...call.unclear, ...command.unclear] };
  }
  if (tool === "run_script") {
    const script = scriptCall(input, request.commandLine);
    return { ...call, script, unclear: [...call.unclear, ...script.unclear] };
  }
  if (tool === "network_request") return { ...call, ...readHosts(input, call.unclear) };
  return call;
}

function readPaths(
  { places, realPaths = [] }: PolicyRequest,
  tool: string,
  input: CallInput,
  unclear: readonly string[],
): Pick<PolicyCall, "paths" | "unclear"> & { readonly outside?: string } {
  const given = input.texts(PATH_NAMES);
  const needsPath = tool === "read_file" || tool === "write_file" || tool === "delete_file";
  const all = [...(given.length === 0 && !needsPath ? ["."] : given), ...realPaths];
  const paths = all.map((path) => resolvePath(path, places));
  const outside = all.find((_, i) => !isInside(paths[i]?.path ?? "/", places.workingDirectory));
  return {
    paths,
    ...(outside === undefined ? undefined : { outside }),
    unclear: [
      ...unclear,
      ...(paths.length === 0 ? ["no path is given"] : []),
      ...(paths.some((path) => path.unclear) ? ["the path may mean something else"] : []),
    ],
  };
}

function readHosts(
  input: CallInput,
  unclear: readonly string[],
): Pick<PolicyCall, "hosts" | "unclear"> {
  const given = input.texts(ADDRESS_NAMES);
  const hosts = given.flatMap((address) => hostOf(address) ?? []);
  const isRead = given.length > 0 && hosts.length === given.length;
  return { hosts, unclear: isRead ? unclear : [...unclear, "the address cannot be read"] };
}

interface CommandCall {
  readonly command: Command;
  /** Longer than a system takes; it is not read at all. */
  readonly tooLong: boolean;
  readonly unclear: readonly string[];
}

interface ScriptCall {
  /** Below the skill: `scripts/x.py`. */
  readonly path: string;
  /** The ways to write the command line that runs it. */
  readonly commands: readonly Command[];
  readonly unclear: readonly string[];
}

/** What Linux takes as one argument. */
const MAX_LENGTH = 131_072;
const COMMAND_NAMES = ["command", "commandline", "cmd", "argv"];
const ARGUMENT_NAMES = ["args", "arguments"];
const FOLDER_NAMES = ["cwd", "workdir", "workingdirectory", "directory", "dir", "folder"];
const ENVIRONMENT_NAMES = ["env", "environment", "environmentvariables", "shell"];
const FEED_NAMES = ["stdin", "input"];
const SCRIPT_NAMES = ["script", "scriptname", "scriptpath", "scriptfile", "path", "file"];
const INTERPRETERS: readonly (readonly [RegExp, readonly string[]])[] = [
  [/\.py$/i, ["python3", "python"]],
  [/\.sh$/i, ["bash", "sh"]],
  [/\.[cm]?js$/i, ["node"]],
  [/\.ts$/i, ["node"]],
  [/\.rb$/i, ["ruby"]],
  [/\.pl$/i, ["perl"]],
];

function commandCall(input: CallInput, request: PolicyRequest): CommandCall {
  const given = input.values(COMMAND_NAMES);
  const words = input.texts(ARGUMENT_NAMES);
  const texts = input.texts(COMMAND_NAMES);
  const tooLong = [...texts, ...words].join(" ").length > MAX_LENGTH;
  if (tooLong) return { command: lineCommand("", new Set()), tooLong, unclear: [] };
  const [first] = given;
  const known = namedPrograms(commandRules(request));
  const isList = given.length === 1 && Array.isArray(first);
  const isReadable =
    typeof first === "string" || (isList && first.every((word) => typeof word === "string"));
  // Of several commands it is not known which one runs: all of them can be denied, none allowed.
  const alone = isList ? listCommand(texts, known) : lineCommand(texts.join("\n"), known);
  const isMissing = given.length !== 1 || !isReadable || texts.join("") === "";
  const command =
    words.length === 0
      ? alone
      : alone.words === undefined
        ? lineCommand(`${alone.source} ${words.join(" ")}`, known)
        : listCommand([...alone.words, ...words], known);
  const isShell = command.words === undefined && !isMissing;
  return {
    command,
    tooLong,
    unclear: [
      ...(isMissing ? ["there is not one command"] : []),
      ...(isShell ? ["the line has more than plain words, which only a shell understands"] : []),
      ...surroundings(input, request.places),
    ],
  };
}

/** The programs that the user's own rules name are known, however much they can do. */
function commandRules({ settings }: PolicyRequest): readonly (string | undefined)[] {
  return permittingRules(settings.allow)
    .rules.filter(({ tool }) => permittedTools(tool).includes("run_command"))
    .map(({ specifier }) => specifier);
}

/** What a command is given besides its words can change what it does. */
function surroundings(input: CallInput, places: PolicyPlaces): readonly string[] {
  const folders = input.texts(FOLDER_NAMES).map((folder) => resolvePath(folder, places));
  const isElsewhere = folders.some(
    ({ path, unclear }) => unclear || !isInside(path, places.workingDirectory),
  );
  return [
    ...(isElsewhere ? ["it runs in another folder"] : []),
    ...(input.values(ENVIRONMENT_NAMES).length > 0 ? ["it gets its own environment"] : []),
    ...(input.values(FEED_NAMES).length > 0 ? ["it is fed a text"] : []),
  ];
}

function scriptCall(input: CallInput, commandLine: readonly string[] = []): ScriptCall {
  const script = input.texts(SCRIPT_NAMES);
  const words = input.texts(ARGUMENT_NAMES);
  const path = scriptPath(script[0] ?? "");
  const known = INTERPRETERS.find(([ending]) => ending.test(path))?.[1] ?? [];
  const actual = programName(commandLine[0] ?? "");
  const interpreters = actual === "" || known.includes(actual) ? known : [actual];
  const starts = [[path], [`./${path}`], ...interpreters.map((program) => [program, path])];
  const lines = starts.map((start) => [...start, ...words]);
  const isSafe =
    script.length === 1 &&
    /^scripts\/[^/\\]/.test(path) &&
    !/(?:^|\/)\.\.?(?:\/|$)|[\\~]/.test(path);
  return {
    path,
    commands: [...lines, commandLine].filter((line) => line.length > 0).map(scriptCommand),
    unclear: isSafe ? [] : ["the script is not a path below `scripts/`"],
  };
}

function scriptPath(script: string): string {
  const plain = script.replace(/^\.\//, "");
  return plain.startsWith("scripts/") || plain.startsWith("/") ? plain : `scripts/${plain}`;
}

/** What runs is known: the script. */
function scriptCommand(words: readonly string[]): Command {
  return { ...listCommand(words, new Set()), starts: [words], unseen: false };
}
