const SECRET = /token|key|secret|sig|pass|auth|credential/i;

/** What may be written down of a URL: no password, and no parameter that could be one. */
export function recordedUrl(url: URL): URL {
  const shown = new URL(url);
  shown.password = "";
  // The user of ssh is an account; that of https can be a token.
  if (url.protocol !== "ssh:") shown.username = "";
  for (const name of new Set(shown.searchParams.keys())) {
    if (SECRET.test(name)) shown.searchParams.delete(name);
  }
  return shown;
}
