import { isPort, type NetworkTarget, plainHost } from "./domain-rule.ts";

export interface ForwardTarget extends NetworkTarget {
  /** Host and port as the server gets to see them. */
  readonly authority: string;
  readonly path: string;
}

const AUTHORITY = /^(\[[0-9a-f:.]{2,45}\]|[a-z0-9._-]{1,255})(?::(\d{1,5}))?$/i;
const DEFAULT_HTTP_PORT = 80;

/** Where `CONNECT` leads to. Nothing but its own line counts, least of all the header `Host`. */
export function tunnelTarget(text: string): NetworkTarget | undefined {
  return targetOf(text, undefined);
}

/** Where a request leads to, by its absolute address. */
export function forwardTarget(text: string): ForwardTarget | undefined {
  const [, authority = "", rest = ""] = /^http:\/\/([^/?#]*)([^#]*)$/i.exec(text) ?? [];
  const target = targetOf(authority, DEFAULT_HTTP_PORT);
  if (target === undefined) return undefined;
  const { host, port } = target;
  const shown = host.includes(":") ? `[${host}]` : host;
  return {
    ...target,
    authority: port === DEFAULT_HTTP_PORT ? shown : `${shown}:${port}`,
    path: rest.startsWith("/") ? rest : `/${rest}`,
  };
}

function targetOf(text: string, defaultPort: number | undefined): NetworkTarget | undefined {
  const [, written = "", digits] = AUTHORITY.exec(text) ?? [];
  const host = plainHost(written);
  const port = digits === undefined ? defaultPort : Number(digits);
  if (host === undefined || port === undefined || !isPort(port)) return undefined;
  return { host, port };
}
