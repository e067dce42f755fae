import { defineDirectoryRule } from "../skill-directory.ts";

export const pathCollision = defineDirectoryRule({
  code: "path-collision",
  severity: "error",
  summary: "Two files have the same name on some systems.",
  explanation:
    "macOS and Windows do not tell `Forms.md` from `forms.md`, nor two Unicode spellings of `é`; one of the two would be lost.",
  example: {
    bad: "references/Forms.md, references/forms.md",
    good: "references/forms.md, references/forms-2.md",
  },
  inspect({ entries }, report) {
    const seen = new Map<string, string>();
    for (const { path } of entries) {
      const folded = path.normalize("NFKC").toLowerCase();
      const other = seen.get(folded);
      if (other === undefined) seen.set(folded, path);
      else report({ path, message: `\`${path}\` and \`${other}\` are the same on some systems` });
    }
  },
});
