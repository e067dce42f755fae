import { redactValue } from "./redact-value.ts";
import { REDACTED, type RedactionRules, type Redactor, type TextRule } from "./redactor.ts";
import { isSecretName, joinedName } from "./secret-names.ts";
import { secretShapes } from "./secret-shapes.ts";
import { secretForms } from "./secret-values.ts";

export interface RedactorOptions {
  /** Values of variables whose names look secret are taken out wherever they appear. */
  readonly env: Readonly<Record<string, string | undefined>>;
  /** More names of fields and variables that hold secrets, in any case. */
  readonly names?: readonly string[];
  /** More shapes of secrets. They must match in linear time and not span lines. */
  readonly patterns?: readonly RegExp[];
  /** More secrets; those under four characters are not looked for. */
  readonly values?: readonly string[];
  /** Longer strings are cut. Default 16,384 characters. */
  readonly maxStringLength?: number;
}

const MAX_STRING_LENGTH = 16_384;
const MAX_REMEMBERED = 1000;
const MAX_REMEMBERED_LENGTH = 64;
/** No secret that is looked for is shorter. */
const SHORTEST = 4;
const MAX_ROUNDS = 4;

export function createRedactor(options: RedactorOptions): Redactor {
  const { env, patterns = [], values = [], maxStringLength = MAX_STRING_LENGTH } = options;
  const names = new Set((options.names ?? []).map(joinedName));
  const forms = secretForms({ env, values, names });
  const texts = [...valueRules(forms), ...secretShapes, ...patterns.map(patternRule)];
  const rules: RedactionRules = {
    texts,
    multiline: forms.filter((form) => /[\r\n]/.test(form)),
    longestValue: forms[0]?.length ?? 0,
  };
  const redactText = (text: string): string =>
    text.length < SHORTEST && patterns.length === 0 ? text : redactWith(texts, text);
  const isSecret = remembered((name) => isSecretName(name, names));
  const redactName = remembered(redactText);
  return {
    rules,
    redactText,
    redact: (value) => redactValue(value, { redactText, redactName, isSecret, maxStringLength }),
  };
}

/**
 * Until nothing is found any more: what takes the place of a secret may make another one visible.
 * So a text that was redacted stays as it is, whoever redacts it again.
 */
function redactWith(texts: readonly TextRule[], text: string): string {
  let before = text;
  let redacted = redactOnce(texts, text);
  for (let round = 1; round < MAX_ROUNDS && redacted !== before; round++) {
    before = redacted;
    redacted = redactOnce(texts, redacted);
  }
  return redacted;
}

function redactOnce(texts: readonly TextRule[], text: string): string {
  return texts.reduce((result, { expression, needs, replacement }) => {
    const isPossible = needs === undefined || needs.some((part) => result.includes(part));
    return isPossible ? result.replace(expression, replacement) : result;
  }, text);
}

/** One expression for all values, so that a text is read once. */
function valueRules(forms: readonly string[]): readonly TextRule[] {
  if (forms.length === 0) return [];
  const source = forms.map((form) => form.replace(/[\\^$.*+?()[\]{}|/-]/g, String.raw`\$&`));
  return [{ expression: new RegExp(source.join("|"), "g"), replacement: REDACTED }];
}

function patternRule({ source, flags }: RegExp): TextRule {
  const kept = flags.replaceAll(/[gy]/g, "");
  return { expression: new RegExp(source, `${kept}g`), replacement: REDACTED };
}

/** The same few names come again and again. */
function remembered<Result>(decide: (name: string) => Result): (name: string) => Result {
  const known = new Map<string, Result>();
  return (name) => {
    const decided = known.get(name) ?? decide(name);
    const isShort = name.length <= MAX_REMEMBERED_LENGTH;
    if (isShort && known.size < MAX_REMEMBERED) known.set(name, decided);
    return decided;
  };
}
