import { join } from "node:path";
import { createRedactor } from "@skillwright/runtime";
import { createFileStore, createMemoryStore, MAX_TEXT } from "../../packages/agent/src/index.ts";
import { temporaryFolder } from "../support/temporary-folder.ts";
import { describeRunStore } from "./run-store.ts";

describeRunStore("createMemoryStore", () => ({ store: createMemoryStore() }));

describeRunStore("createFileStore", () => {
  const folder = temporaryFolder({ "project/.keep": "" });
  const reopened = () =>
    createFileStore({
      root: join(folder, "project"),
      stateDirectory: join(folder, "state"),
      redactor: createRedactor({ env: {}, maxStringLength: MAX_TEXT }),
    });
  return { store: reopened(), reopened };
});
