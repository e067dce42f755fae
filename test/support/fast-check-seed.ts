import fc from "fast-check";

// The same examples in every run, so that a red build means a change. FC_SEED=$RANDOM explores.
fc.configureGlobal({ seed: Number(process.env["FC_SEED"] ?? "20261115") });
