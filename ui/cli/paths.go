package cli

import (
	"os"
	"path/filepath"

	"github.com/adrg/xdg"
)

// paths says where Pleat keeps its files.
type paths struct {
	config string // config.toml
	themes string // folder of the user's own themes
	data   string // the database of sessions
}

// findPaths follows PLEAT_HOME, which puts everything into one folder, or else
// the XDG variables and what stands in for them on other systems.
func findPaths() paths {
	configs, data := filepath.Join(xdg.ConfigHome, "pleat"), filepath.Join(xdg.DataHome, "pleat")
	if home := os.Getenv("PLEAT_HOME"); home != "" {
		configs, data = home, home
	}
	return paths{
		config: filepath.Join(configs, "config.toml"),
		themes: filepath.Join(configs, "themes"),
		data:   filepath.Join(data, "pleat.db"),
	}
}
