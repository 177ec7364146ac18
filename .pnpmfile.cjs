const path = require("node:path");

module.exports = {
  hooks: {
    // Of the reference page only the file for browsers is used, which has all that it needs in it: none of the package's dependencies
    // is installed.
    readPackage(manifest) {
      if (manifest.name === "@scalar/api-reference") manifest.dependencies = {};
      return manifest;
    },

    // Scripts stay in the checkout. So do dependencies: a build contains what it needs of them. A workflow adds the address of the
    // repository, which npm shows, and provenance needs. Packed elsewhere, a package is for installations only: npm publishes none that
    // is private.
    beforePacking(manifest, directory) {
      delete manifest.scripts;
      delete manifest.dependencies;
      delete manifest.devDependencies;
      const { GITHUB_SERVER_URL: server, GITHUB_REPOSITORY: repository } = process.env;
      if (!server || !repository) return { ...manifest, private: true };
      const page = `${server}/${repository}`;
      const subdirectory = path.relative(__dirname, directory);
      return {
        ...manifest,
        homepage: `${page}/tree/HEAD/${subdirectory}#readme`,
        bugs: `${page}/issues`,
        repository: { type: "git", url: `git+${page}.git`, directory: subdirectory },
      };
    },
  },
};
