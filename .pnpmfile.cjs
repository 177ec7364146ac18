// Of the reference page only the file for browsers is used, which has all that it needs in it: none of the package's dependencies
// is installed.
module.exports = {
  hooks: {
    readPackage(manifest) {
      if (manifest.name === "@scalar/api-reference") manifest.dependencies = {};
      return manifest;
    },
  },
};
