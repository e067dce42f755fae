/** The text without these values, longest first so that none is left in part. */
export function hideSecrets(text: string, secrets: readonly string[]): string {
  return secrets
    .toSorted((a, b) => b.length - a.length)
    .reduce((rest, secret) => rest.replaceAll(secret, "[redacted]"), text);
}
