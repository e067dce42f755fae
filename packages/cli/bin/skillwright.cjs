#!/usr/bin/env node
// Committed, so that npm can link it before the first build.
"use strict";
require("node:module").enableCompileCache?.();
require("../dist/skillwright.cjs");
