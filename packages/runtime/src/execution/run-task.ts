import type { checkRequest } from "./check-request.ts";
import type { ExecutionRequest } from "./execution-request.ts";
import type { ExecutorOptions } from "./executor-options.ts";
import type { ExecutionContext } from "./executor.ts";

export interface RunTask<Options extends ExecutorOptions> {
  readonly request: ExecutionRequest;
  readonly checked: Extract<ReturnType<typeof checkRequest>, { readonly ok: true }>;
  /** Private, and gone afterwards. */
  readonly directory: string;
  readonly context: ExecutionContext;
  readonly options: Options;
}
