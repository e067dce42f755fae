import { readFile } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import { runAgent } from "@skillwright/agent";
import { openSkills, storageSource } from "@skillwright/core";
import { createAudit, openScripts } from "@skillwright/runtime";
import { containerExecutor } from "./container-executor.mjs";
import { gatewayModel } from "./gateway-model.mjs";

// Rows of a table (skill, path, text); here they come from files.
const rows = await Promise.all(
  ["SKILL.md", "scripts/count.mjs"].map(async (path) => {
    const file = fileURLToPath(new URL(`../skills/word-count/${path}`, import.meta.url));
    return { skill: "word-count", path, text: await readFile(file, "utf8") };
  }),
);
const source = storageSource({
  label: "database",
  list: async () => [{ path: "word-count", files: rows.map(({ path }) => ({ path })) }],
  read: async (skill, path) =>
    rows.find((row) => row.skill === skill && row.path === path)?.text ?? "",
  stamp: async () => "1", // such as the time of the last change of any row
});

const record = []; // in earnest: a table that can only be appended to
const audit = createAudit({ write: async (events) => void record.push(...events) });

const skills = await openSkills({ roots: [source] });
const result = await runAgent({
  request: "How long is: the export button works?",
  skills,
  model: gatewayModel(),
  policy: {
    open: ({ runId }) =>
      openScripts({
        cwd: "fresh",
        principal: "ada",
        runId,
        executor: containerExecutor,
        sandbox: "docker",
        audit,
        approve: ({ skill }) => skill?.source === "database",
      }),
  },
});
console.log(result.status === "answered" ? result.answer : result.reason);
await audit.close();
for (const { event } of record) console.log(event);
