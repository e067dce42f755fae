import { defineDirectoryRule } from "../skill-directory.ts";
import { findReferences } from "../../format/body/find-references.ts";
import { nearNames } from "../../format/text/near-names.ts";

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
    const paths = new Set(entries.map(({ path }) => path.normalize("NFC")));
    for (const { path, start, end } of findReferences(skill.body)) {
      const wanted = path.normalize("NFC").replace(/\/+$/, "");
      if (wanted.split("/").includes("..") || exists(wanted, paths)) continue;
      const [near] = nearNames(wanted, paths, 1);
      report({
        start: bodyStart + start,
        end: bodyStart + end,
        message: `\`${path}\` does not exist`,
        ...(near === undefined ? undefined : { hint: `did you mean \`${near}\`?` }),
      });
    }
  },
});

/** A file, or a folder with something in it. */
function exists(path: string, paths: ReadonlySet<string>): boolean {
  if (paths.has(path)) return true;
  for (const file of paths) if (file.startsWith(`${path}/`)) return true;
  return false;
}
