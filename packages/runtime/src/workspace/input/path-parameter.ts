/** How every tool takes the path of a file or folder. */
export function pathParameter(description: string) {
  return {
    type: "string",
    description,
    otherNames: ["file_path", "file", "filename", "relative_path", "directory", "dir", "folder"],
  } as const;
}
