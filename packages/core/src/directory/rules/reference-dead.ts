import { defineDirectoryRule, withFolders } from "../skill-directory.ts";
import { findReferences } from "../../format/body/find-references.ts";
import { nearNames } from "../../format/text/near-names.ts";

/** Comparing names is slow; the first few show what is wrong. */
const MAX_SUGGESTIONS = 20;

export const referenceDead = defineDirectoryRule({
  code: "reference-dead",
  severity: "warning",
  summary: "The body names a file that is not there.",
  explanation: "A model that is told to read `references/FORMS.md` will try, fail, and improvise.",
  example: {
    bad: "See [forms](references/FORMS.md)  # no such file",
    good: "See [forms](references/forms.md)",
  },
  inspect({ entries, truncated, skill, bodyStart }, report) {
    if (skill === undefined || truncated) return;
    const files = entries.map(({ path }) => path.normalize("NFC"));
    const paths = new Set(files.flatMap(withFolders));
    const dead = new Set<string>();
    for (const { path, start, end } of findReferences(skill.body)) {
      const wanted = path.normalize("NFC").replace(/\/+$/, "");
      if (wanted.split("/").includes("..") || paths.has(wanted) || dead.has(wanted)) continue;
      dead.add(wanted);
      const [near] = dead.size > MAX_SUGGESTIONS ? [] : nearNames(wanted, files, 1);
      report({
        start: bodyStart + start,
        end: bodyStart + end,
        message: `\`${path}\` does not exist`,
        ...(near === undefined ? undefined : { hint: `did you mean \`${near}\`?` }),
      });
    }
  },
});
