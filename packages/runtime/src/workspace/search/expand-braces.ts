const MAX_PATTERNS = 64;

/** `*.{ts,tsx}` as `*.ts` and `*.tsx`; groups inside groups stay as they are. */
export function expandBraces(pattern: string): readonly string[] {
  let patterns = [""];
  for (const part of pattern.split(/(\{[^{}]*,[^{}]*\})/)) {
    const isGroup = part.startsWith("{") && part.endsWith("}") && part.includes(",");
    const choices = isGroup ? part.slice(1, -1).split(",") : [part];
    patterns = patterns.flatMap((head) => choices.map((choice) => head + choice));
    if (patterns.length > MAX_PATTERNS) return [pattern];
  }
  return patterns;
}
