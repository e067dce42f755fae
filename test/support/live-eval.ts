import { builtEval } from "./built-eval.ts";
import { startModelServer } from "./model-server/model-server.ts";

/** Of the service; nobody else may ever see it. */
export const KEY = "key-4f0c1d2e3b4a59687706f5e4d3c2b1a0";
export const MODEL = "openai-compatible:test";

const PARAMS = { model: "test", keyVariable: "FAKE_SERVICE_KEY" };

/** A project whose model is a service on this machine, which the test plays. */
export async function liveEval(files: Readonly<Record<string, string>> = {}) {
  const server = await startModelServer();
  const params = { ...PARAMS, baseUrl: `${server.url}/v1` };
  const config = { model: { provider: "openai-compatible", params } };
  const world = builtEval({ "user.json": JSON.stringify(config), ...files });
  const live = ["--config", "user.json", "--model", MODEL];
  const key = { FAKE_SERVICE_KEY: KEY };
  return { ...world, server, live, key };
}
