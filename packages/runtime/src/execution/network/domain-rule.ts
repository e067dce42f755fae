import { isIP } from "node:net";

/** A place that scripts may reach: `example.com`, `*.example.com`, `example.com:8443`, an address. */
export interface DomainRule {
  /** As `plainHost` writes it. */
  readonly host: string;
  /** What is below the host, and not the host itself. */
  readonly isBelow: boolean;
  /** Without one, those of the web. */
  readonly port?: number;
}

export interface NetworkTarget {
  /** As `plainHost` writes it. */
  readonly host: string;
  readonly port: number;
}

const WEB_PORTS = new Set([80, 443]);
const MAX_HOST_LENGTH = 253;

/** Undefined for what is no domain, and for `*` and `*.com`, which leave nothing out. */
export function parseDomainRule(text: string): DomainRule | undefined {
  const parts = /^(\*\.)?(\[[^\]]*\]|[^:*[\]]+)(?::(\d{1,5}))?$/.exec(text.trim());
  const [, wildcard, written = "", digits] = parts ?? [];
  const host = plainHost(written);
  if (host === undefined) return undefined;
  const isBelow = wildcard !== undefined;
  if (isBelow && (isIP(host) !== 0 || !host.includes("."))) return undefined;
  if (digits === undefined) return { host, isBelow };
  const port = Number(digits);
  return isPort(port) ? { host, isBelow, port } : undefined;
}

export function isAllowedBy(rule: DomainRule, { host, port }: NetworkTarget): boolean {
  const isOfPort = rule.port === undefined ? WEB_PORTS.has(port) : rule.port === port;
  const isOfHost = rule.isBelow ? host.endsWith(`.${rule.host}`) : host === rule.host;
  return isOfPort && isOfHost;
}

/**
 * A host in the one form in which hosts are compared: lower case, international names encoded,
 * numbers such as `0x7f.1` as the address they mean, and no dot at the end.
 */
export function plainHost(text: string): string | undefined {
  const inner = /^\[(.*)\]$/.exec(text)?.[1];
  if (inner !== undefined && (isIP(inner) !== 6 || inner.includes("%"))) return undefined;
  if (inner === undefined && /[\s%/?#@\\:[\]*]/.test(text)) return undefined;
  if (!URL.canParse(`http://${text}/`)) return undefined;
  const { hostname } = new URL(`http://${text}/`);
  const host = hostname.replace(/^\[|\]$/g, "").replace(/\.$/, "");
  const isHost = host !== "" && host.length <= MAX_HOST_LENGTH && !/^\.|\.\.|\.$/.test(host);
  return isHost ? host : undefined;
}

export function isPort(port: number): boolean {
  return port >= 1 && port <= 65_535;
}
