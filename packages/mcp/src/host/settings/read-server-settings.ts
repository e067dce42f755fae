import { homedir } from "node:os";
import { isAbsolute, join } from "node:path";
import type { Configuration } from "@skillwright/core";
import { quoteLine } from "@skillwright/core/internal";
import { mcpFailure, type McpFailure } from "../mcp-failure.ts";
import { cleanEnvironment } from "./clean-environment.ts";
import { type Environment, expandVariables } from "./expand-variables.ts";
import { isSafeAddress } from "./safe-address.ts";
import { secretsIn } from "./secrets-in.ts";
import type { ServerSettings } from "./server-settings.ts";

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
