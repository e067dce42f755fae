import { quoteLine } from "@skillwright/core/internal";

/** More is not looked at: it may be of any length, and from anyone. */
const MAX_READ = 4096;
/** Up to the last `@` before the path: what stands there can be a password with an `@` of its own. */
const USER_INFORMATION = /\b([a-z][a-z0-9+.-]*:\/\/)[^/\s]*@/gi;
const SECRET_PARAMETER =
  /([?&][^=&\s#]*(?:token|key|secret|sig|pass|auth|credential)[^=&\s#]*=)[^&\s#]+/gi;

/** Text from outside for a message: one bounded line without credentials. */
export function foreignText(text: string): string {
  return quoteLine(withoutCredentials(text.slice(0, MAX_READ)));
}

/** Every URL in the text without its user, password and parameters that sound like secrets. */
function withoutCredentials(text: string): string {
  return text.replace(USER_INFORMATION, "$1").replace(SECRET_PARAMETER, "$1…");
}
