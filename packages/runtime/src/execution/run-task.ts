import type { checkRequest } from "./check-request.ts";
import type { ExecutionContext, ExecutionRequest, ExecutorOptions } from "./executor.ts";

export interface RunTask<Options extends ExecutorOptions> {
  readonly request: ExecutionRequest;
  readonly checked: Extract<ReturnType<typeof checkRequest>, { readonly ok: true }>;
  /** Private, and gone afterwards. */
  readonly directory: string;
  readonly context: ExecutionContext;
  readonly options: Options;
}
