console.log(process.argv[2].split(/\s+/).filter((word) => word !== "").length);
