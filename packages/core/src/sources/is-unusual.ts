import { MAY_HIDE, ZERO_WIDTH } from "../format/text/invisible-characters.ts";
import { UNUSUAL } from "../format/yaml/unusual-characters.ts";

/** In every text that is unusual and in few others: to look for one of many characters takes no longer than for one. */
const MAY_BE_UNUSUAL =
  /[^\n\x20-\x5b\x5d-\x7e\xa0-\xac\xae-\u061b\u061d-\u180d\u180f-\u200a\u2010-\u2027\u202f-\u205f\u206a-\ud7ff\ue000-\ufefe\uff00-\ufffd]/;

/** Whether a text has characters, or escapes of such, that the usual head has not. */
export function isUnusual(text: string): boolean {
  if (!MAY_BE_UNUSUAL.test(text)) return false;
  return UNUSUAL.test(text) || MAY_HIDE.test(text) || ZERO_WIDTH.test(text);
}
