// Package ext holds the options of Traefik's extensions: none here.
package ext

// HTTP has no options.
type HTTP struct{}

// Router has no options.
type Router struct{}
