const HIDDEN = "[redacted]";
const SHORT = 8;

/** The text without these values. Short ones go only where they stand alone, not out of other words. */
export function hideSecrets(text: string, secrets: readonly string[]): string {
  if (secrets.length === 0) return text;
  // All at once, so that nothing is looked for in what stands for another; the longest first.
  const parts = secrets.toSorted((a, b) => b.length - a.length).map(patternOf);
  return text.replaceAll(new RegExp(parts.join("|"), "gu"), HIDDEN);
}

/** The same for all texts in a value of JSON, names of its fields too. */
export function hideSecretsIn(value: unknown, secrets: readonly string[]): unknown {
  if (secrets.length === 0) return value;
  if (typeof value === "string") return hideSecrets(value, secrets);
  if (Array.isArray(value)) return value.map((part) => hideSecretsIn(part, secrets));
  if (typeof value !== "object" || value === null) return value;
  const entries = Object.entries(value).map(
    ([key, part]) => [hideSecrets(key, secrets), hideSecretsIn(part, secrets)] as const,
  );
  return Object.fromEntries(entries);
}

/** The same for a file, which need not be text. */
export function hideSecretsInBytes(bytes: Uint8Array, secrets: readonly string[]): Uint8Array {
  if (secrets.length === 0) return bytes;
  // One character for each byte: whatever else is in the file comes back as it was.
  const text = Buffer.from(bytes).toString("latin1");
  const written = secrets.map((secret) => Buffer.from(secret).toString("latin1"));
  const rest = hideSecrets(text, written);
  return rest === text ? bytes : Buffer.from(rest, "latin1");
}

export function holdsSecret(text: string, secrets: readonly string[]): boolean {
  return hideSecrets(text, secrets) !== text;
}

function patternOf(secret: string): string {
  const escaped = secret.replaceAll(/[\\^$.*+?()[\]{}|/]/g, String.raw`\$&`);
  return secret.length < SHORT
    ? String.raw`(?<![\p{L}\p{N}_])${escaped}(?![\p{L}\p{N}_])`
    : escaped;
}
