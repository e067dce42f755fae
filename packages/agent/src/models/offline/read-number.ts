/** Why a number cannot be told for sure from how it is written. */
export type Unclear = "range" | "calculation" | "ambiguous" | "spaced" | "unknown";

export type NumberReading = { readonly value: string } | { readonly unclear: Unclear };

const MAX_LENGTH = 200;
const SIGN = /^(?:(minus\s|negative\s|负|零下|[-−–])|\+)\s{0,3}/iu;
/** After a blank a dash may as well be a bullet or a pause. */
const LOOSE_DASH = /^[-−–]\s/u;
const VULGAR = /\s?([¼-¾⅐-⅞])$/u;
const FRACTION = /^(?:(\d{1,9})\s)?(\d{1,9})\s?[/⁄]\s?(\d{1,9})$/u;
const GROUP = String.raw`[1-9]\d{0,2}`;
const POINT_GROUPS = new RegExp(String.raw`^${GROUP}(?:\.\d{3})+$`);
const COMMA_GROUPS = new RegExp(String.raw`^${GROUP}(?:,\d{3})+$`);
const RANGE =
  /\p{Nd}\s?(?:[-–—~～…]|\.{2,3}|(?:to|and|bis|till|until|or|oder)\b|到|至)[^\p{Nd}]{0,5}\p{Nd}/iu;
const CALCULATION =
  /[\^*×÷+±²³⁰-⁹]|\p{Nd}\s?[−x/⁄]|\b(?:plus|minus|times|mal|by|squared|cubed)\b|\bto the\b/iu;

/** All of what is written, as a plain decimal or a fraction: never a part of it. */
export function readNumber(written: string, isGerman: boolean): NumberReading {
  const text = written.trim().replaceAll(/[０-９]/gu, (digit) => digit.normalize("NFKC"));
  if (text.length > MAX_LENGTH) return { unclear: "unknown" };
  if (LOOSE_DASH.test(text)) return { unclear: "ambiguous" };
  const sign = SIGN.exec(text);
  const amount = text.slice(sign?.[0].length ?? 0);
  const reading = fractionOf(amount) ?? decimalOf(amount, isGerman);
  if (!("value" in reading)) return reading;
  return { value: `${sign?.[1] === undefined ? "" : "-"}${reading.value}` };
}

function fractionOf(amount: string): NumberReading | undefined {
  const written = amount.replace(VULGAR, (_, sign: string) => ` ${sign.normalize("NFKC")}`);
  const [all, whole = "0", above = "", below = ""] = FRACTION.exec(written.trim()) ?? [];
  if (all === undefined) return undefined;
  if (/^0+$/.test(below)) return { unclear: "unknown" };
  return { value: `${BigInt(whole) * BigInt(below) + BigInt(above)}/${BigInt(below)}` };
}

function decimalOf(amount: string, isGerman: boolean): NumberReading {
  if (/^\d+(?:\.\d+)?e[-+]?\d{1,4}$/i.test(amount)) return { value: amount };
  if (/^\d+$/.test(amount)) return { value: amount };
  const groups = amount.match(/[.,]/g)?.length ?? 0;
  // 1.500 and 1,500: people who write German mean either by either.
  if (groups === 1 && isGerman && (POINT_GROUPS.test(amount) || COMMA_GROUPS.test(amount))) {
    return { unclear: "ambiguous" };
  }
  if (COMMA_GROUPS.test(amount)) return { value: amount.replaceAll(",", "") };
  if (groups > 1 && POINT_GROUPS.test(amount)) return { value: amount.replaceAll(".", "") };
  const [, whole, part] = /^([^]*)[.,](\d+)$/.exec(amount) ?? [];
  if (whole !== undefined && part !== undefined) {
    const mark = amount.charAt(whole.length);
    if (/^\d*$/.test(whole)) return { value: `${whole || "0"}.${part}` };
    const isGrouped = (mark === "," ? POINT_GROUPS : COMMA_GROUPS).test(whole);
    if (isGrouped) return { value: `${whole.replaceAll(/[.,]/g, "")}.${part}` };
  }
  return groupedOf(amount) ?? { unclear: kindOf(amount) };
}

/** 1'500 and 1_500, and with blanks that do not part words. */
function groupedOf(amount: string): NumberReading | undefined {
  const [, whole, , part] =
    /^(\d{1,3}(['’_\u00a0\u202f\u2009])\d{3}(?:\2\d{3})*)(?:[.,](\d+))?$/u.exec(amount) ?? [];
  if (whole === undefined || whole.startsWith("0")) return undefined;
  const digits = whole.replaceAll(/\D/g, "");
  return { value: part === undefined ? digits : `${digits}.${part}` };
}

function kindOf(amount: string): Unclear {
  if (/^\d{1,3}(?: \d{3})+(?:[.,]\d+)?$/.test(amount)) return "spaced";
  if (RANGE.test(amount)) return "range";
  return CALCULATION.test(amount) ? "calculation" : "unknown";
}
