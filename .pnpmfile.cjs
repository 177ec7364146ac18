const { relative } = require("node:path");

module.exports = {
  hooks: {
    // Of the reference page only the file for browsers is used, which has all that it needs in it: none of the package's dependencies
    // is installed.
    readPackage(manifest) {
      if (manifest.name === "@scalar/api-reference") manifest.dependencies = {};
      return manifest;
    },

    // A published manifest has nothing that is only for the checkout. In a workflow it names the repository, as provenance demands.
    beforePacking(manifest, directory) {
      delete manifest.scripts;
      delete manifest.devDependencies;
      const { GITHUB_SERVER_URL: server, GITHUB_REPOSITORY: repository } = process.env;
      if (!server || !repository) return manifest;
      const url = `git+${server}/${repository}.git`;
      return { ...manifest, repository: { type: "git", url, directory: relative(__dirname, directory) } };
    },
  },
};
