import type { Rule } from "@skillwright/core/internal";
import { toLevel } from "./to-level.ts";

/** What a SARIF viewer shows about a rule (reportingDescriptor, §3.49). */
export function toReportingDescriptor(rule: Rule) {
  const { code, summary, explanation, example } = rule;
  return {
    id: code,
    name: pascalCase(code),
    shortDescription: { text: summary },
    fullDescription: { text: explanation },
    help: {
      text: `${explanation}\n\nBad:\n\n${example.bad}\n\nGood:\n\n${example.good}`,
      markdown: `${explanation}\n\nBad:\n\n${fenced(example.bad)}\n\nGood:\n\n${fenced(example.good)}`,
    },
    defaultConfiguration: { level: toLevel(rule.severity) },
  };
}

/** For a finding whose rule is not among those given. */
export function toBareDescriptor(code: string) {
  return { id: code, name: pascalCase(code) };
}

function pascalCase(code: string): string {
  return code
    .split("-")
    .map((word) => word.slice(0, 1).toUpperCase() + word.slice(1))
    .join("");
}

/** Examples are Markdown themselves, so the fence outgrows those inside. */
function fenced(source: string): string {
  const longest = Math.max(2, ...Array.from(source.matchAll(/`+/g), ([run]) => run.length));
  const fence = "`".repeat(longest + 1);
  return `${fence}\n${source}\n${fence}`;
}
