import {
  type Command,
  lineCommand,
  listCommand,
  namedPrograms,
  programName,
} from "./match-commands.ts";
import {
  FILE_TOOLS,
  hostOf,
  isInside,
  permittedTools,
  type PolicyPlaces,
  type PolicyRequest,
  type PolicyRule,
  type ResolvedPath,
  resolvePath,
  toolName,
  wordList,
} from "./policy-settings.ts";

/** What the specifier of a rule is compared with. */
export type CallPart =
  | { readonly kind: "path"; readonly path: ResolvedPath }
  | { readonly kind: "host"; readonly host: string }
  /** Of the skill that a disclosure tool is asked for. */
  | { readonly kind: "name"; readonly name: string }
  | {
      readonly kind: "command";
      /** The ways to write it. */
      readonly commands: readonly Command[];
      /** The script that it runs, below the skill: `scripts/x.py`. */
      readonly script?: string;
    };

/** A tool call, read once and in the form that rules are compared with. */
export interface PolicyCall {
  /** Our name of the tool. */
  readonly tool: string;
  /** As it was called. */
  readonly calledAs: string;
  /** A call is permitted when all of them are. */
  readonly parts: readonly CallPart[];
  /** A path that leads out of the working directory, as it was given. */
  readonly outside?: string | undefined;
  /** The command is longer than a system takes, and was not read at all. */
  readonly tooLong?: boolean;
  /** Why the call is not understood; it is never allowed then. */
  readonly unclear: readonly string[];
}

/** What one kind of tool does with its input. */
type ReadParts = Pick<PolicyCall, "parts" | "outside" | "tooLong" | "unclear">;

/** Values by the name of their parameter: in lower case, without `_` and `-`. */
type Input = readonly (readonly [name: string, value: unknown])[];

const PATH_NAMES = wordList(`
    path paths filepath file files filename directory dir folder root target destination
    source from to oldpath newpath notebookpath absolutepath relativepath
  `);
const ADDRESS_NAMES = ["url", "urls", "uri", "address", "endpoint", "href"];
const SKILL_NAMES = ["name", "skill", "skillname", "skills", "names"];
const COMMAND_NAMES = ["command", "commandline", "cmd", "argv"];
const ARGUMENT_NAMES = ["args", "arguments"];
const FOLDER_NAMES = ["cwd", "workdir", "workingdirectory", "directory", "dir", "folder"];
const ENVIRONMENT_NAMES = ["env", "environment", "environmentvariables", "shell"];
const FEED_NAMES = ["stdin", "input"];
const SCRIPT_NAMES = ["script", "scriptname", "scriptpath", "scriptfile", "path", "file"];

/** Reads a call. The programs that the user's own rules name are known, however much they can do. */
export function readCall(request: PolicyRequest, allow: readonly PolicyRule[]): PolicyCall {
  const tool = toolName(request.tool);
  const object = asObject(request.input);
  const input = Object.entries(object ?? {}).map(([name, value]): Input[number] => [
    name.toLowerCase().replace(/[_-]/g, ""),
    value,
  ]);
  const { parts, unclear, ...more } = readParts(tool, input, request, allow);
  const names = textsOf(input, SKILL_NAMES).map((name) => ({ kind: "name", name }) as const);
  return {
    tool,
    calledAs: request.tool,
    parts: parts.length > 0 ? parts : names,
    unclear: [...(object === undefined ? ["the input is not an object"] : []), ...unclear],
    ...more,
  };
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

function valuesOf(input: Input, names: readonly string[]): readonly unknown[] {
  return input
    .filter(([name, value]) => names.includes(name) && value !== undefined && value !== null)
    .map(([, value]) => value);
}

/** All texts given under any of the names; a list counts as its texts, a number as one. */
function textsOf(input: Input, names: readonly string[]): readonly string[] {
  return valuesOf(input, names)
    .flat()
    .filter((value) => ["string", "number", "boolean"].includes(typeof value))
    .map(String);
}

function readParts(
  tool: string,
  input: Input,
  request: PolicyRequest,
  allow: readonly PolicyRule[],
): ReadParts {
  if (FILE_TOOLS.has(tool)) return readPaths(tool, input, request);
  if (tool === "run_command") return readCommand(input, request.places, allow);
  if (tool === "run_script") return readScript(input, request.commandLine);
  if (tool === "network_request") return readHosts(input);
  return { parts: [], unclear: [] };
}

function readPaths(tool: string, input: Input, { places, realPaths = [] }: PolicyRequest) {
  const given = textsOf(input, PATH_NAMES);
  const isFolder = tool === "list_directory" || tool === "search_files";
  const all = [...(given.length === 0 && isFolder ? ["."] : given), ...realPaths];
  const paths = all.map((path) => resolvePath(path, places));
  return {
    parts: paths.map((path) => ({ kind: "path", path }) as const),
    outside: all.find((_, i) => !isInside(paths[i]?.path ?? "/", places.workingDirectory)),
    unclear: [
      ...(paths.length === 0 ? ["no path is given"] : []),
      ...(paths.some((path) => path.unclear) ? ["the path may mean something else"] : []),
    ],
  };
}

function readHosts(input: Input): ReadParts {
  const given = textsOf(input, ADDRESS_NAMES);
  const hosts = given.flatMap((address) => hostOf(address) ?? []);
  const isRead = given.length > 0 && hosts.length === given.length;
  return {
    parts: hosts.map((host) => ({ kind: "host", host })),
    unclear: isRead ? [] : ["the address cannot be read"],
  };
}

/** What Linux takes as one argument. */
const MAX_LENGTH = 131_072;

function readCommand(input: Input, places: PolicyPlaces, allow: readonly PolicyRule[]): ReadParts {
  const given = valuesOf(input, COMMAND_NAMES);
  const texts = textsOf(input, COMMAND_NAMES);
  const words = textsOf(input, ARGUMENT_NAMES);
  const tooLong = [...texts, ...words].join(" ").length > MAX_LENGTH;
  if (tooLong) {
    return { parts: [{ kind: "command", commands: [lineCommand("")] }], tooLong, unclear: [] };
  }
  const forCommands = allow.filter(({ tool = "" }) => permittedTools(tool).includes("run_command"));
  const known = namedPrograms(forCommands.map(({ specifier }) => specifier));
  const [first] = given;
  const isList = given.length === 1 && Array.isArray(first);
  const isReadable =
    typeof first === "string" || (isList && first.every((word) => typeof word === "string"));
  const isMissing = given.length !== 1 || !isReadable || texts.join("") === "";
  // Of several commands it is not known which one runs: all of them can be denied, none allowed.
  const line = texts.join("\n");
  const alone = isList ? listCommand(texts, known) : lineCommand(line, known);
  const whole = () =>
    alone.words === undefined
      ? lineCommand(`${alone.source} ${words.join(" ")}`, known)
      : listCommand([...alone.words, ...words], known);
  const command = words.length === 0 ? alone : whole();
  const isShell = command.words === undefined && !isMissing;
  return {
    parts: [{ kind: "command", commands: [command] }],
    unclear: [
      ...(isMissing ? ["there is not one command"] : []),
      ...(isShell ? ["the line has more than plain words, which only a shell understands"] : []),
      ...surroundings(input, places),
    ],
  };
}

/** What a command is given besides its words can change what it does. */
function surroundings(input: Input, places: PolicyPlaces): readonly string[] {
  const folders = textsOf(input, FOLDER_NAMES).map((folder) => resolvePath(folder, places));
  const isElsewhere = folders.some(
    ({ path, unclear }) => unclear || !isInside(path, places.workingDirectory),
  );
  return [
    ...(isElsewhere ? ["it runs in another folder"] : []),
    ...(valuesOf(input, ENVIRONMENT_NAMES).length > 0 ? ["it gets its own environment"] : []),
    ...(valuesOf(input, FEED_NAMES).length > 0 ? ["it is fed a text"] : []),
  ];
}

const INTERPRETERS: readonly (readonly [RegExp, readonly string[]])[] = [
  [/\.py$/i, ["python3", "python"]],
  [/\.sh$/i, ["bash", "sh"]],
  [/\.(?:[cm]?js|ts)$/i, ["node"]],
  [/\.rb$/i, ["ruby"]],
  [/\.pl$/i, ["perl"]],
];

function readScript(input: Input, commandLine: readonly string[] = []): ReadParts {
  const scripts = textsOf(input, SCRIPT_NAMES);
  const given = (scripts[0] ?? "").replace(/^\.\//, "");
  const path = /^(?:scripts)?\//.test(given) ? given : `scripts/${given}`;
  const known = INTERPRETERS.find(([ending]) => ending.test(path))?.[1] ?? [];
  const actual = programName(commandLine[0] ?? "");
  const interpreters = actual === "" || known.includes(actual) ? known : [actual];
  const starts = [[path], [`./${path}`], ...interpreters.map((program) => [program, path])];
  const lines = starts.map((start) => [...start, ...textsOf(input, ARGUMENT_NAMES)]);
  const isSafe =
    scripts.length === 1 &&
    /^scripts\/[^/\\]/.test(path) &&
    !/(?:^|\/)\.\.?(?:\/|$)|[\\~]/.test(path);
  const commands = [...lines, ...(commandLine.length > 0 ? [commandLine] : [])].map((words) => ({
    ...listCommand(words),
    // What runs is known: the script.
    starts: [words],
    unseen: false,
  }));
  return {
    parts: [{ kind: "command", commands, script: path }],
    unclear: isSafe ? [] : ["the script is not a path below `scripts/`"],
  };
}
