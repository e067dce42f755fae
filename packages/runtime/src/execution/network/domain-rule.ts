import { isIP } from "node:net";
import type { NetworkAddress, NetworkLookup } from "../../workspace/network/send-request.ts";

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

/** Undefined for anything that is not a domain, and for `*` and `*.com`, which allow everything. */
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

/** A place that a script tried to reach. */
export interface NetworkUse {
  readonly host: string;
  /** 0 when the address could not be read. */
  readonly port: number;
  readonly allowed: boolean;
}

/** Of each kind. */
const MAX_TARGETS = 100;

/**
 * What a run reached and what it was refused. The first refusals are kept, and everything that was
 * allowed: when there is no room left to name a target, it is refused.
 */
export class NetworkRecord {
  readonly #allowed = new Map<string, NetworkUse>();
  readonly #refused = new Map<string, NetworkUse>();

  /** False when there have been too many other targets. */
  add({ host, port }: NetworkTarget, allowed: boolean): boolean {
    const uses = allowed ? this.#allowed : this.#refused;
    const key = `${host} ${port}`;
    if (!uses.has(key) && uses.size >= MAX_TARGETS) return false;
    uses.set(key, { host, port, allowed });
    return true;
  }

  /** For an address that cannot be read. */
  refuseText(text: string): void {
    const host = text.slice(0, MAX_HOST_LENGTH).replaceAll(/[^\u0021-\u007e]/g, "?");
    this.add({ host, port: 0 }, false);
  }

  list(): readonly NetworkUse[] {
    return [...this.#allowed.values(), ...this.#refused.values()];
  }
}

/**
 * The first wildcard that covers what strangers register below it, such as `*.github.io` or
 * `*.co.uk`. The list of such suffixes is loaded only where there is a wildcard.
 */
export async function wildcardOverStrangers(
  rules: readonly DomainRule[],
): Promise<string | undefined> {
  const wildcards = rules.filter(({ isBelow }) => isBelow);
  if (wildcards.length === 0) return undefined;
  const { getDomain } = await import("tldts");
  const isSuffix = ({ host }: DomainRule) =>
    getDomain(host, { allowPrivateDomains: true }) === null;
  const found = wildcards.find(isSuffix);
  return found && `*.${found.host}`;
}

export interface AdmissionOptions {
  /** The system's resolver unless given. */
  readonly lookup?: NetworkLookup;
  /** Which addresses may be connected to; those of the public internet unless given. */
  readonly isPublic?: (address: string) => boolean;
}

type Admission =
  | { readonly ok: true; readonly addresses: readonly NetworkAddress[] }
  | { readonly ok: false; readonly status: 403 | 502; readonly message: string };

/**
 * Whether a script may go there, and to which addresses: only to those may be connected, since the
 * next answer of a resolver may be another one. No name is looked up that no rule allows.
 */
export async function admitTarget(
  target: NetworkTarget,
  rules: readonly DomainRule[],
  record: NetworkRecord,
  options: AdmissionOptions,
): Promise<Admission> {
  const { host, port } = target;
  const refuse = (why: string): Admission => {
    record.add(target, false);
    return { ok: false, status: 403, message: `${host}:${port} ${why}` };
  };
  if (!rules.some((rule) => isAllowedBy(rule, target))) {
    return refuse("is not among the domains that this script may reach");
  }
  // It loads a library of addresses.
  const { isPublicAddress, systemLookup } = await import("../../workspace/network/send-request.ts");
  const { lookup = systemLookup, isPublic = isPublicAddress } = options;
  const family = isIP(host);
  const addresses =
    family === 0
      ? await lookup(host).catch(() => [])
      : [{ address: host, family: family === 6 ? (6 as const) : (4 as const) }];
  if (!addresses.every(({ address }) => isPublic(address))) {
    return refuse("leads to an address that is not on the public internet");
  }
  // Recorded although it has no address: the lookup itself tells its name to others.
  if (!record.add(target, true)) return refuse("is one target too many for one run");
  if (addresses.length > 0) return { ok: true, addresses };
  return { ok: false, status: 502, message: `${host} has no address` };
}

export interface ForwardTarget extends NetworkTarget {
  /** Host and port as the server gets to see them. */
  readonly authority: string;
  readonly path: string;
}

const AUTHORITY = /^(\[[0-9a-f:.]{2,45}\]|[a-z0-9._-]{1,255})(?::(\d{1,5}))?$/i;
const DEFAULT_HTTP_PORT = 80;

/** The target of a request, by its absolute address. */
export function forwardTarget(text: string): ForwardTarget | undefined {
  const [, given = "", rest = ""] = /^http:\/\/([^/?#]*)([^#]*)$/i.exec(text) ?? [];
  const target = targetOf(given, DEFAULT_HTTP_PORT);
  if (target === undefined) return undefined;
  const shown = target.host.includes(":") ? `[${target.host}]` : target.host;
  const authority = target.port === DEFAULT_HTTP_PORT ? shown : `${shown}:${target.port}`;
  return { ...target, authority, path: rest.startsWith("/") ? rest : `/${rest}` };
}

/** The target of `CONNECT`, which names its port. Only the request line counts, never the header `Host`. */
export function targetOf(text: string, defaultPort?: number): NetworkTarget | undefined {
  const [, written = "", digits] = AUTHORITY.exec(text) ?? [];
  const host = plainHost(written);
  const port = digits === undefined ? defaultPort : Number(digits);
  if (host === undefined || port === undefined || !isPort(port)) return undefined;
  return { host, port };
}
