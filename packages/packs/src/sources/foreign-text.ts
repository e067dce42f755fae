const MAX_LENGTH = 300;
/** More is not looked at: it may be of any length, and from anyone. */
const MAX_READ = 4096;
// oxlint-disable-next-line no-control-regex -- control characters are what it looks for
const CONTROLS = /[\u0000-\u001f\u007f-\u009f\u200b-\u200f\u2028-\u202e\u2060-\u2069\ufeff]+/g;
/** Up to the last `@` before the path: what stands there can be a password with an `@` of its own. */
const USER_INFORMATION = /\b([a-z][a-z0-9+.-]*:\/\/)[^/\s]*@/gi;
const SECRET_PARAMETER =
  /([?&][^=&\s#]*(?:token|key|secret|sig|pass|auth|credential)[^=&\s#]*=)[^&\s#]+/gi;

/** Text of someone else for a message: one line, bounded, without controls and credentials. */
export function foreignText(text: string): string {
  const plain = withoutCredentials(text.slice(0, MAX_READ)).replace(CONTROLS, " ").trim();
  return plain.length > MAX_LENGTH ? `${plain.slice(0, MAX_LENGTH)}…` : plain;
}

/** Every URL in the text without its user, password and parameters that sound like secrets. */
function withoutCredentials(text: string): string {
  return text.replace(USER_INFORMATION, "$1").replace(SECRET_PARAMETER, "$1…");
}
