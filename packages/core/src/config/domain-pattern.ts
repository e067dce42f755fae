const LABEL = "[A-Za-z\\d](?:[A-Za-z\\d-]*[A-Za-z\\d])?";
/** Not a number: that would be an address. */
const LAST_LABEL = "[A-Za-z](?:[A-Za-z\\d-]*[A-Za-z\\d])?";
const PORT = "[1-9]\\d{0,3}|[1-5]\\d{4}|6[0-4]\\d{3}|65[0-4]\\d{2}|655[0-2]\\d|6553[0-5]";

/**
 * `example.com`, `*.example.com` or `example.com:8443`; names in other alphabets as `xn--…`. Not
 * `*.com`, which leaves next to nothing out, and nothing that a parser of addresses would read as
 * something else, such as `evil.com?.example.com`.
 */
export const DOMAIN = new RegExp(
  `^(?:\\*\\.(?:${LABEL}\\.)+|(?:${LABEL}\\.)*)${LAST_LABEL}\\.?(?::(?:${PORT}))?$`,
);

/** Whether everything that one domain stands for is also meant by another. Both are valid. */
export function coversDomain(outer: string, inner: string): boolean {
  const [held, wanted] = [partsOf(outer), partsOf(inner)];
  // Without a port, it is that of https, and for scripts also that of http.
  if (wanted.port !== held.port && !(held.port === "" && wanted.port === "443")) return false;
  // A wildcard stands for what is below a domain, not for that itself.
  if (held.isWildcard && wanted.host.endsWith(`.${held.host}`)) return true;
  return held.isWildcard === wanted.isWildcard && held.host === wanted.host;
}

function partsOf(domain: string) {
  const [name = "", port = ""] = domain.toLowerCase().split(":");
  const host = name.replace(/^\*\./, "").replace(/\.$/, "");
  return { isWildcard: name.startsWith("*."), host, port };
}
