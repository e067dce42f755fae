import { randomBytes } from "node:crypto";
import { isLoopbackHost } from "@skillwright/mcp";
import type { Console } from "../../console.ts";
import { CommandFailure, EXIT } from "../../exit-code.ts";
import type { ServeOptions } from "./serve-options.ts";

/** Where clients connect, and what they have to bring. */
export interface HttpPlace {
  readonly host: string;
  readonly port: number;
  readonly allowedHosts: readonly string[];
  readonly token: string;
  /** Whether the token was made now, so that somebody has to be told. */
  readonly isNewToken: boolean;
}

const TOKEN_VARIABLE = "SKILLWRIGHT_MCP_TOKEN";
const MIN_TOKEN = 16;
/** What every client can send in a header. */
const TOKEN = /^[\x21-\x7e]+$/;

/** Undefined without `--http`. */
export function httpPlace(options: ServeOptions, env: Console["env"]): HttpPlace | undefined {
  const { http = false, host = "127.0.0.1", port, allowRemote = false, allowHost = [] } = options;
  if (!http) {
    const flags = { "--port": port, "--host": options.host, "--allow-host": options.allowHost };
    for (const [flag, value] of Object.entries(flags)) {
      if (value !== undefined) throw usage(`${flag} is for --http`, "add --http");
    }
    return undefined;
  }
  if (!isLoopbackHost(host) && !allowRemote) {
    throw usage(
      `other machines would reach ${host}`,
      "leave --host out, or say --allow-remote: the token then travels unencrypted, and anyone who has it can read all skills",
    );
  }
  const common = { host, port: portOf(port), allowedHosts: allowHost };
  const given = env[TOKEN_VARIABLE];
  if (given === undefined || given === "") {
    return { ...common, token: randomBytes(32).toString("base64url"), isNewToken: true };
  }
  if (given.length < MIN_TOKEN || !TOKEN.test(given)) {
    throw usage(
      `${TOKEN_VARIABLE} is not a usable token`,
      `it needs ${MIN_TOKEN} characters or more, only ASCII letters, digits and signs, and no blanks; without it one is made`,
    );
  }
  return { ...common, token: given, isNewToken: false };
}

function portOf(text = "0"): number {
  const port = Number(text);
  if (/^\d+$/.test(text) && port <= 65_535) return port;
  throw usage(`"${text}" is not a port`, "a number from 0 to 65535; 0 takes one that is free");
}

function usage(message: string, hint: string): CommandFailure {
  return new CommandFailure(EXIT.usage, message, { hint });
}
