import type { Match } from "./match.ts";
import { matchWildcard } from "./match-wildcard.ts";
import type { RuleUse } from "./path-pattern.ts";

/** Compares a host with the specifier of a rule: `domain:example.com`, `domain:*.example.com`. */
export function matchDomain(specifier: string, host: string, use: RuleUse): Match {
  const domain = domainOf(specifier);
  if (domain === undefined) return use === "permit" ? "no" : "unclear";
  if (domain === "*" || domain === host) return "yes";
  // Who denies a domain means what is below it, too.
  if (use === "restrict" && host.endsWith(`.${domain}`)) return "yes";
  if (domain.startsWith("*.") && !domain.slice(2).includes("*")) {
    return host.length > domain.length - 1 && host.endsWith(domain.slice(1)) ? "yes" : "no";
  }
  return domain.includes("*") && matchLabels(domain, host) ? "yes" : "no";
}

export function isReadableDomain(specifier: string): boolean {
  return domainOf(specifier) !== undefined;
}

/** The host of an address; undefined when it is no address, or names a user. */
export function hostOf(address: string): string | undefined {
  if (!URL.canParse(address)) return undefined;
  const { hostname, username, password, protocol } = new URL(address);
  const isWeb = protocol === "https:" || protocol === "http:";
  if (!isWeb || username !== "" || password !== "") return undefined;
  return hostname.replace(/\.$/, "");
}

/** Elsewhere a `*` stays inside one label. */
function matchLabels(domain: string, host: string): boolean {
  const wanted = domain.split(".");
  const labels = host.split(".");
  return (
    wanted.length === labels.length &&
    wanted.every((label, i) => matchWildcard(label, labels[i] ?? ""))
  );
}

function domainOf(specifier: string): string | undefined {
  const wanted = /^domain:(.+)$/.exec(specifier.trim())?.[1];
  if (wanted === undefined) return undefined;
  const plain = wanted.trim().toLowerCase().replace(/\.$/, "");
  if (plain.includes("*")) return /^[a-z0-9*.-]+$/.test(plain) ? plain : undefined;
  return /[/?#@\s]/.test(plain) ? undefined : hostOf(`https://${plain}`);
}
