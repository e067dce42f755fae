import { type Configuration, quoteLine } from "@skillwright/core/internal";
import { homedir } from "node:os";
import { delimiter, isAbsolute, join } from "node:path";
import { mcpFailure, type McpFailure } from "../mcp-failure.ts";
import { secretsIn } from "./secrets.ts";

export type McpServerOptions = Configuration["mcpServers"][string];

/** As it stands in names of tools: letters, digits, `-` and single `_`. */
const LABEL = /^[A-Za-z0-9-]+(?:_[A-Za-z0-9-]+)*$/;
const MAX_LABEL = 32;
const HEADER_NAME = /^[!#$%&'*+.^`|~\w-]{1,100}$/;

/** One entry of `mcpServers`, held to its rules. `env` is the user's environment. */
export function readServerSettings(
  label: string,
  options: McpServerOptions,
  env: Environment,
): ServerSettings | McpFailure {
  const invalid = (reason: string, hint?: string) =>
    mcpFailure("server-invalid", `the server "${quoteLine(label)}" ${reason}`, hint);
  if (label.length > MAX_LABEL || !LABEL.test(label)) {
    const hint = `letters, digits, - and single _ are allowed, ${MAX_LABEL} characters at most`;
    return invalid("has a label that cannot be part of a tool's name", hint);
  }
  const { command, url } = options;
  if ((command === undefined) === (url === undefined)) {
    return invalid("needs either `command` or `url`");
  }
  const texts = new Expander(env);
  const settings =
    command === undefined
      ? addressOf(url ?? "", options, texts)
      : programOf(command, options, texts, env);
  if (texts.missing.length > 0) {
    const names = [...new Set(texts.missing)].join(", ");
    return invalid(`needs variables that are not set: ${names}`, "set them where you start this");
  }
  if (typeof settings === "string") return invalid(settings);
  const { trust = false, skills = true, tools = true, readOnlyTools = false } = options;
  const callMs = options.timeoutSeconds === undefined ? undefined : options.timeoutSeconds * 1000;
  const secrets = secretsIn(texts.secrets);
  return { label, trust, skills, tools, readOnlyTools, callMs, secrets, ...settings };
}

class Expander {
  readonly missing: string[] = [];
  readonly secrets: string[] = [];
  readonly #env: Environment;

  constructor(env: Environment) {
    this.#env = env;
  }

  text(text: string): string {
    const expanded = expandVariables(text, this.#env);
    this.missing.push(...expanded.missing);
    this.secrets.push(...expanded.values);
    return expanded.text;
  }

  /** Whatever is passed like this may be a key, also one that was written down. */
  record(record: Readonly<Record<string, string>> = {}): Record<string, string> {
    const entries = Object.entries(record).map(([name, value]) => [name, this.text(value)]);
    const expanded = Object.fromEntries(entries) as Record<string, string>;
    this.secrets.push(...Object.values(expanded));
    return expanded;
  }
}

function programOf(
  written: string,
  { args = [], env: named, cwd: folder = "~" }: McpServerOptions,
  texts: Expander,
  env: Environment,
) {
  const home = env["HOME"] ?? homedir();
  const inHome = (path: string) => (/^~(?:\/|$)/.test(path) ? join(home, path.slice(1)) : path);
  const command = inHome(texts.text(written));
  // The user's own folder unless they say otherwise: in a project's, `npx` would run what is in it.
  const cwd = inHome(texts.text(folder));
  const given = args.map((arg) => texts.text(arg));
  const variables = texts.record(named);
  if (!isAbsolute(cwd)) return "has a `cwd` that is not absolute";
  if (!isAbsolute(command) && /[/\\]/.test(command)) {
    return "has a `command` that is a relative path; give its name or its whole path";
  }
  if ([command, cwd, ...given, ...Object.entries(variables).flat()].some((t) => t.includes("\0"))) {
    return "has a text with a zero in it";
  }
  const environment = cleanEnvironment(env, variables);
  return { kind: "program" as const, command, args: given, env: environment, cwd };
}

function addressOf(written: string, { headers: named }: McpServerOptions, texts: Expander) {
  const text = texts.text(written);
  const headers = texts.record(named);
  const wrong = Object.entries(headers).find(
    ([name, value]) => !HEADER_NAME.test(name) || /[\r\n\0]/.test(value),
  );
  if (wrong !== undefined) return `has a header that cannot be sent: ${quoteLine(wrong[0])}`;
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (url === undefined) return "has a `url` that is none";
  if (!isSafeAddress(url)) return "has a `url` that is neither https nor on this machine";
  if (url.username !== "" || url.password !== "") return "has a password in its `url`; use headers";
  for (const [, value] of url.searchParams) texts.secrets.push(value);
  return { kind: "address" as const, url, headers };
}

/** A server as it is started or asked, with all variables in their places. */
export type ServerSettings = ProgramSettings | AddressSettings;

interface CommonSettings {
  /** What the user calls it: part of the names of its skills and tools. */
  readonly label: string;
  readonly trust: boolean;
  readonly skills: boolean;
  readonly tools: boolean | readonly string[];
  readonly readOnlyTools: boolean | readonly string[];
  readonly callMs: number | undefined;
  /** Values that no log, no person and no model gets to see. */
  readonly secrets: readonly string[];
}

export interface ProgramSettings extends CommonSettings {
  readonly kind: "program";
  readonly command: string;
  readonly args: readonly string[];
  readonly env: Readonly<Record<string, string>>;
  readonly cwd: string;
}

interface AddressSettings extends CommonSettings {
  readonly kind: "address";
  readonly url: URL;
  readonly headers: Readonly<Record<string, string>>;
}

/** What is sent there is read by nobody else: encrypted, or not leaving this machine. */
function isSafeAddress({ protocol, hostname }: URL): boolean {
  if (protocol === "https:") return true;
  return protocol === "http:" && isLoopback(hostname);
}

function isLoopback(hostname: string): boolean {
  return hostname === "localhost" || hostname === "[::1]" || /^127(?:\.\d{1,3}){3}$/.test(hostname);
}

/** What a program needs to find itself, its libraries and its language, and nothing that is secret. */
const PASSED = [
  "HOME",
  "LANG",
  "LC_ALL",
  "LC_CTYPE",
  "LOGNAME",
  "TMPDIR",
  "TZ",
  "USER",
  // Windows
  "APPDATA",
  "COMSPEC",
  "LOCALAPPDATA",
  "PATHEXT",
  "PROGRAMFILES",
  "SYSTEMDRIVE",
  "SYSTEMROOT",
  "TEMP",
  "TMP",
  "USERNAME",
  "USERPROFILE",
];

/** The environment of a server: built from these and what its settings name. */
function cleanEnvironment(
  env: Environment,
  named: Readonly<Record<string, string>>,
): Record<string, string> {
  const built: Record<string, string> = {};
  for (const name of PASSED) {
    const value = env[name];
    if (value !== undefined) built[name] = value;
  }
  built["PATH"] = absoluteFolders(env["PATH"] ?? "");
  return { ...built, ...named };
}

/** A relative folder would be one of whatever project is open. */
function absoluteFolders(path: string): string {
  return path
    .split(delimiter)
    .filter((folder) => isAbsolute(folder))
    .join(delimiter);
}

export type Environment = Readonly<Record<string, string | undefined>>;

const VARIABLE = /\$\{(?:env:)?([A-Za-z_]\w*)(?::-([^}]*))?\}/g;

interface Expanded {
  readonly text: string;
  /** Values that came from the environment. */
  readonly values: readonly string[];
  readonly missing: readonly string[];
}

/** `${NAME}` and `${NAME:-default}`, as other clients read them. Nothing else has a meaning. */
function expandVariables(text: string, env: Environment): Expanded {
  const values: string[] = [];
  const missing: string[] = [];
  const expanded = text.replaceAll(VARIABLE, (_, name: string, fallback: string | undefined) => {
    const value = Object.hasOwn(env, name) ? env[name] : undefined;
    if (value !== undefined && value !== "") values.push(value);
    else if (fallback === undefined) missing.push(name);
    return value === undefined || value === "" ? (fallback ?? "") : value;
  });
  return { text: expanded, values, missing };
}
