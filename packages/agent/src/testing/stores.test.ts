import { join } from "node:path";
import { createRedactor } from "@skillwright/runtime";
import { describe, it } from "vitest";
import { temporaryFolder } from "../../../../test/support/temporary-folder.ts";
import { createFileStore, createMemoryStore } from "../index.ts";
import { MAX_TEXT } from "../internal/index.ts";
import { describeRunStore } from "./index.ts";

const runner = { describe, it };

describeRunStore(runner, "memory", () => ({ store: createMemoryStore() }));

describeRunStore(runner, "a folder", () => {
  const folder = temporaryFolder({ "project/.keep": "" });
  const reopened = () =>
    createFileStore({
      root: join(folder, "project"),
      stateDirectory: join(folder, "state"),
      redactor: createRedactor({ env: {}, maxStringLength: MAX_TEXT }),
    });
  return { store: reopened(), reopened };
});
