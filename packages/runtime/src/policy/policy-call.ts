import { commandCall, type CommandCall, scriptCall, type ScriptCall } from "./command-call.ts";
import { hostOf, isInside, type ResolvedPath, resolvePath } from "./patterns.ts";
import type { PolicyRequest } from "./policy-request.ts";
import { toolName, wordList } from "./tools.ts";

/** Reads parameters by name, in any case and with or without underscores. */
export interface CallInput {
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
    const command = commandCall(input, request.places);
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
