import { MAY_HIDE, zeroWidth } from "../internal/hidden-characters.ts";
import { UNUSUAL } from "../format/yaml/unusual-characters.ts";

/** Matches every unusual text and few others; one character class is as fast as one character. */
const MAY_BE_UNUSUAL =
  /[^\n\x20-\x5b\x5d-\x7e\xa0-\xac\xae-\u034e\u0350-\u061b\u061d-\u115e\u1161-\u17b3\u17b6-\u180a\u1810-\u200a\u2010-\u2027\u202f-\u205f\u2070-\u3163\u3165-\ud7ff\ue000-\ufdcf\ufdf0-\ufdff\ufe10-\ufefe\uff00-\uff9f\uffa1-\uffef\ufffc\ufffd]/;

/** Whether a text has characters, or escapes of such, that the usual head has not. */
export function isUnusual(text: string): boolean {
  if (!MAY_BE_UNUSUAL.test(text)) return false;
  return UNUSUAL.test(text) || MAY_HIDE.test(text) || zeroWidth().test(text);
}
