/** How to reach a provider. */
export interface Provider {
  readonly dialect: "anthropic" | "gemini" | "openai-compatible";
  /** If undefined, it must be given. */
  readonly baseUrl?: string;
  /** The variable that holds its key. If undefined, it takes none. */
  readonly keyVariable?: string;
  /** Used if the first variable is not set. */
  readonly otherKeyVariable?: string;
  /** Replaces the base URL, together with the key. */
  readonly baseUrlVariable?: string;
  /** Used when only the provider is named. */
  readonly model?: string;
  readonly contextTokens: number;
  /** Default true. */
  readonly acceptsImages?: boolean;
  readonly unreachableHint?: string;
}

export const PROVIDERS: Readonly<Record<string, Provider>> = {
  anthropic: {
    dialect: "anthropic",
    baseUrl: "https://api.anthropic.com/v1",
    keyVariable: "ANTHROPIC_API_KEY",
    baseUrlVariable: "ANTHROPIC_BASE_URL",
    model: "claude-sonnet-4-5",
    contextTokens: 200_000,
  },
  openai: {
    dialect: "openai-compatible",
    baseUrl: "https://api.openai.com/v1",
    keyVariable: "OPENAI_API_KEY",
    baseUrlVariable: "OPENAI_BASE_URL",
    model: "gpt-4.1",
    contextTokens: 128_000,
  },
  gemini: {
    dialect: "gemini",
    baseUrl: "https://generativelanguage.googleapis.com/v1beta",
    keyVariable: "GEMINI_API_KEY",
    otherKeyVariable: "GOOGLE_API_KEY",
    baseUrlVariable: "GEMINI_BASE_URL",
    model: "gemini-2.5-flash",
    contextTokens: 1_048_576,
  },
  openrouter: {
    dialect: "openai-compatible",
    baseUrl: "https://openrouter.ai/api/v1",
    keyVariable: "OPENROUTER_API_KEY",
    contextTokens: 128_000,
  },
  // The real limit is set in Ollama, which silently cuts what is beyond it.
  ollama: local(11_434, 8192, "Is Ollama running? Start it with `ollama serve`."),
  lmstudio: local(1234, 8192, "Is the LM Studio server running? Start it with `lms server start`."),
  vllm: local(8000, 32_768, "Is vLLM running? Start it with `vllm serve`."),
  "openai-compatible": {
    dialect: "openai-compatible",
    contextTokens: 32_768,
    acceptsImages: false,
  },
};

/** A server on this machine, which takes no key. */
function local(port: number, contextTokens: number, unreachableHint: string): Provider {
  const baseUrl = `http://127.0.0.1:${port}/v1`;
  const dialect = "openai-compatible";
  return { dialect, baseUrl, contextTokens, acceptsImages: false, unreachableHint };
}
