/**
 * What we need of a model of the AI SDK, by shape: versions 2, 3 and 4 of its specification all have
 * it. Results are read with care, so that nothing of them is promised here.
 */
export interface AiSdkModel {
  readonly specificationVersion: "v2" | "v3" | "v4";
  readonly provider: string;
  readonly modelId: string;
  doGenerate(options: AiSdkCall): PromiseLike<object>;
  doStream?(options: AiSdkCall): PromiseLike<{ readonly stream: ReadableStream<object> }>;
}

// Not readonly: every version's own type of the options must fit.
export interface AiSdkCall {
  prompt: object[];
  maxOutputTokens?: number | undefined;
  tools?: object[] | undefined;
  toolChoice?: object | undefined;
  responseFormat?: object | undefined;
  abortSignal?: AbortSignal | undefined;
}
