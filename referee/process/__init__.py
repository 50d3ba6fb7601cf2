"""One running bot: started, limited, measured and ended with everything it started."""
