import { defineDirectoryRule } from "../skill-directory.ts";

export const specialFile = defineDirectoryRule({
  code: "special-file",
  severity: "error",
  summary: "The skill holds something that is neither file nor folder.",
  explanation:
    "Named pipes, sockets and devices hang or harm programs that read them. No skill needs one.",
  example: {
    bad: "assets/queue (a named pipe)",
    good: "assets/queue.json",
  },
  inspect({ entries }, report) {
    for (const { path, kind } of entries) {
      if (kind !== "special") continue;
      report({ path, message: `\`${path}\` is a pipe, socket or device`, hint: "remove it" });
    }
  },
});
